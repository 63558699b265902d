/** Responses of JSON lines: one object per line, which the server sends as soon as it is known. */
import { ApiError } from ".";

/** Yield the objects of a response. Throws `ApiError`. Abort the request to stop early, so that the server stops too. */
export async function* readJsonLines<T>({ body }: Response): AsyncGenerator<T> {
  if (!body) return;
  const reader = body.pipeThrough(new TextDecoderStream()).getReader();
  let rest = "";
  while (true) {
    const { done, value } = await reader.read().catch(() => {
      throw new ApiError("offline");
    });
    if (done) return;
    const lines = (rest + value).split("\n");
    rest = lines.pop() ?? "";
    for (const line of lines) yield JSON.parse(line) as T;
  }
}
