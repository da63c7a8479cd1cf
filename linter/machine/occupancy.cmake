# NVIDIA's occupancy calculator, cuda_occupancy.h, from whatever toolkit there
# is: its licence lets nobody pass it on, so it is not in the repository. The
# build keeps a copy, and does not notice when the toolkit goes.
file(GLOB installed_toolkits /usr/local/cuda /usr/local/cuda-*)
find_program(NVCC_PROGRAM nvcc NO_CACHE HINTS ENV CUDA_PATH ENV CUDA_HOME PATH_SUFFIXES bin)
if(NVCC_PROGRAM)
  file(REAL_PATH ${NVCC_PROGRAM} nvcc_file)
  cmake_path(GET nvcc_file PARENT_PATH nvcc_folder)
  cmake_path(GET nvcc_folder PARENT_PATH nvcc_toolkit)
endif()
find_path(CUDA_OCCUPANCY_HEADER cuda_occupancy.h NO_CACHE
  HINTS ENV CUDA_PATH ENV CUDA_HOME ${nvcc_toolkit}
  PATHS ${CMAKE_SOURCE_DIR}/.toolkit ${installed_toolkits}
  PATH_SUFFIXES include targets/x86_64-linux/include)

set(NVIDIA_HEADERS ${CMAKE_BINARY_DIR}/nvidia)
if(CUDA_OCCUPANCY_HEADER)
  file(COPY ${CUDA_OCCUPANCY_HEADER}/cuda_occupancy.h DESTINATION ${NVIDIA_HEADERS})
elseif(NOT EXISTS ${NVIDIA_HEADERS}/cuda_occupancy.h)
  message(FATAL_ERROR "cuda_occupancy.h was not found: scripts/setup installs a CUDA "
    "toolkit that has it; CUDA_PATH names one that is installed elsewhere")
endif()
