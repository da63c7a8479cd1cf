#pragma once
namespace warplint { struct Kernel; }
