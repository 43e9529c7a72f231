# ./dev demo: runs demo.py with the programs in build/bin.

demo() {
  "$venv/bin/python3" tools/dev/demo.py --opc build/bin/opc --work build/demo
}
