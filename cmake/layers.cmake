# The layers of src/ and what each may include, lowest first. This is the only place that says so:
# the build links by it, and tools/check_layers.py reads it and checks every #include line.
#
#   pliant_layer(<folder> <layers it may use> …)      what those use may be used too
#
# include/pliant may be included by every layer and includes nothing from src/.

pliant_layer(base)
pliant_layer(tensor base)
pliant_layer(memory tensor)
pliant_layer(threads base)
pliant_layer(kernels tensor threads)
pliant_layer(isa tensor)
pliant_layer(program isa)
pliant_layer(text program)
pliant_layer(bytecode program)
pliant_layer(semantics program)
pliant_layer(verify semantics)
pliant_layer(bind semantics kernels)
pliant_layer(interp bind memory threads)
pliant_layer(onnx semantics)
pliant_layer(shapes tensor)
pliant_layer(plan bind memory threads shapes)
pliant_layer(cache plan)
pliant_layer(session interp plan cache verify text bytecode onnx)
