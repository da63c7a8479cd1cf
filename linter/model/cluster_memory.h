// The pointer into the shared memory of another block of the cluster
// (`cluster.map_shared_rank(tile, rank)`, PTX's mapa): an unknown value with
// this text.
#pragma once

namespace warplint {

constexpr const char *clusterMemory = "where another block's shared memory is";

} // namespace warplint
