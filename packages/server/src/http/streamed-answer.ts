/**
 * A raw response of any size, which is created while its client reads it: at most one part of it is in memory, and
 * reading from the database ends when the client disconnects.
 */
export class StreamedAnswer {
  readonly contentType: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly #parts: AsyncIterable<string>;

  constructor(contentType: string, headers: Readonly<Record<string, string>>, parts: AsyncIterable<string>) {
    this.contentType = contentType;
    this.headers = headers;
    this.#parts = parts;
  }

  /** The parts, after the first one is available. Throws its error, so that the request can still be refused. */
  async begin(): Promise<AsyncGenerator<string>> {
    const parts = this.#parts[Symbol.asyncIterator]();
    const first = await parts.next();
    return continueWith(first, parts);
  }
}

async function* continueWith(first: IteratorResult<string>, rest: AsyncIterator<string>): AsyncGenerator<string> {
  try {
    for (let next = first; next.done !== true; next = await rest.next()) {
      yield next.value;
    }
  } finally {
    await rest.return?.();
  }
}
