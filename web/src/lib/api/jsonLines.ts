/** An answer that is told line by line, one object a line, each as soon as it is known. */
import { ApiError } from ".";

/** The lines of an answer; throws `ApiError`. Whoever stops listening must abort the request, then the server stops too. */
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
