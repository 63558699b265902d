"""Jobs: bots' turns, reviews and hints, in the queue of the database; and local jobs that answer an open request."""

from limina.server.jobs.job import CURRENT_CLIENT, Job, PoolLimits
from limina.server.jobs.local import LocalJobs
from limina.server.jobs.queue import JobQueue
from limina.server.jobs.worker import Handler, JobWorker, WriteLine

__all__ = ["CURRENT_CLIENT", "Handler", "Job", "JobQueue", "JobWorker", "LocalJobs", "PoolLimits", "WriteLine"]
