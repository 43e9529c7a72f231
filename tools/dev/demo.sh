# ./dev demo: Python over the programs in build/bin.

demo() {
  "$venv/bin/python3" tools/dev/demo.py --opc build/bin/opc --work build/demo
}
