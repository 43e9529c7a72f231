"""Copies of a table of measurements, each with one thing wrong: break_measurements.py TABLE FOLDER."""
import csv
import pathlib
import sys

table, folder = pathlib.Path(sys.argv[1]), pathlib.Path(sys.argv[2])
(row,) = csv.DictReader(table.open(newline=""))


def write(name, rows, header=None):
    with (folder / f"{name}.csv").open("w", newline="") as file:
        writer = csv.writer(file)
        writer.writerow(header or list(row))
        writer.writerows(list(each.values()) for each in rows)


write("column", [row], [key.replace("mte2_exe_time", "mte2_time") for key in row])
write("twice", [row], [key.replace("Model ID", "total_cycles") for key in row])
write("nan", [{**row, "vec_exe_time(us)": "nan"}])
write("negative", [row, {**row, "mte3_exe_time(us)": "-1"}])
write("word", [{**row, "total_cycles": "N/A"}])
write("infinite", [{**row, "aicore_time(us)": "1e999"}])
write("short", [dict(list(row.items())[:12])])
write("shape", [{**row, "Input Shapes": "-3;100000"}])
write("huge_shape", [{**row, "Input Shapes": "4611686018427387904,4;100000"}])
write("type", [{**row, "Input Data Types": "FLOAT17;FLOAT16"}])
write("clock", [{**row, "total_cycles": str(int(float(row["aicore_time(us)"]) * 500))}])
write("inputs", [{**row, "Input Shapes": "8;8;8", "Input Data Types": "FLOAT16;FLOAT16;FLOAT16"}])
write("others", [{**row, "OP Type": "Conv2D"}])
(folder / "empty.csv").write_text("")
(folder / "zeros.csv").write_bytes(bytes(1000))
with (folder / "long.csv").open("wb") as file:  # sparse: longer than anything that is read
    file.truncate((64 << 20) + 1)
