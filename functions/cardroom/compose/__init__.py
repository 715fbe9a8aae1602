"""Where ports are bound to AWS: one module a function, so that each imports what it uses and no
more.
"""

import os
from collections.abc import Callable


def at_cold_start[Made](make: Callable[[], Made]) -> Callable[[], Made]:
    """Composes while Lambda starts the function, when there is CPU to spare; elsewhere at the first
    use.
    """
    if "AWS_LAMBDA_FUNCTION_NAME" in os.environ:
        make()
    return make
