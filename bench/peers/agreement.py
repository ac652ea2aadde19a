"""Whether answers agree, within what a workload allows."""

import numpy


def difference(answers, expected, workload):
    """Where the answers of two runtimes to the same requests differ by more than the workload allows, in
    words; empty if they agree."""
    for number, (answer, wanted) in enumerate(zip(answers, expected, strict=True)):
        if len(answer) != len(wanted):
            return f"check {number}: {len(answer)} outputs instead of {len(wanted)}"
        for ours, theirs in zip(answer, wanted):
            if ours.shape != theirs.shape:
                return f"check {number}: shape {ours.shape} instead of {theirs.shape}"
            far = numpy.abs(ours - theirs) > workload.absolute + workload.relative * numpy.abs(theirs)
            if far.any() or numpy.isnan(ours).any():
                most = numpy.abs(ours - theirs).max()
                return f"check {number}: {far.sum()} of {ours.size} numbers differ, by up to {most:.3g}"
    return ""
