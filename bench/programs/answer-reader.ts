/** Cuts a stream of HTTP/1.1 answers with Content-Length into answers. One that comes in one piece is never copied. */
export class AnswerReader {
  readonly #onAnswer: (status: number, body: string) => void;
  #rest = '';

  constructor(onAnswer: (status: number, body: string) => void) {
    this.#onAnswer = onAnswer;
  }

  /** Takes what arrived. Bytes are read as Latin-1: lengths are right, and what is looked for is ASCII. */
  read(chunk: Buffer): void {
    this.#rest += chunk.toString('latin1');
    for (let answer = this.#cut(); answer !== undefined; answer = this.#cut()) {
      this.#onAnswer(answer.status, answer.body);
    }
  }

  #cut(): { status: number; body: string } | undefined {
    const headEnd = this.#rest.indexOf('\r\n\r\n');
    if (headEnd < 0) {
      return undefined;
    }
    const head = this.#rest.slice(0, headEnd);
    const length = Number(/\r\ncontent-length: (\d+)/i.exec(head)?.[1] ?? Number.NaN);
    if (Number.isNaN(length)) {
      throw new Error(`an answer without Content-Length:\n${head}`);
    }
    const end = headEnd + 4 + length;
    if (this.#rest.length < end) {
      return undefined;
    }
    const body = this.#rest.slice(headEnd + 4, end);
    this.#rest = this.#rest.slice(end);
    return { status: Number(head.slice(9, 12)), body };
  }
}
