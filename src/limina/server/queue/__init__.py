"""Jobs of processes that share a PostgreSQL: pgqueuer's queue, fed with priorities that are fair.

Every job follows from the log of a match, so the queue may lose one: it is found again. One that is done twice does
nothing the second time.
"""

from limina.server.queue.lines import SharedLines
from limina.server.queue.shared import SharedJobs
from limina.server.queue.worker import Handler, Worker

__all__ = ["Handler", "SharedJobs", "SharedLines", "Worker"]
