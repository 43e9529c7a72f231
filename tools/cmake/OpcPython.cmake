# The Python that runs reference implementations, test helpers and lit.
#
# ./dev setup makes an environment with NumPy, ONNX Runtime and ml_dtypes in build/venv; a build by hand may name another
# one. The path is recorded, so that `opc test` finds the environment of the build it came from. A python3 of the
# distribution comes before the first one on PATH, which may be a shim of a version manager.

if(NOT OPC_PYTHON)
  if(EXISTS ${CMAKE_SOURCE_DIR}/build/venv/bin/python3)
    set(found ${CMAKE_SOURCE_DIR}/build/venv/bin/python3)
  else()
    find_program(found python3 PATHS /usr/bin NO_DEFAULT_PATH NO_CACHE)
    find_program(found python3 NO_CACHE REQUIRED)
  endif()
  set(OPC_PYTHON ${found})
endif()
set(OPC_PYTHON ${OPC_PYTHON} CACHE FILEPATH "Python with NumPy, ONNX Runtime and ml_dtypes" FORCE)
