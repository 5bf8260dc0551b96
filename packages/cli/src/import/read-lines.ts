import { createReadStream } from 'node:fs';
import { StringDecoder } from 'node:string_decoder';

/** A line of a file, numbered from 1; without text if it is too long. */
export interface Line {
  line: number;
  text: string | undefined;
}

/** The lines of a UTF-8 file. `readline` would buffer a line of any length. */
export async function* readLines(path: string, maxLength: number): AsyncGenerator<Line> {
  const decoder = new StringDecoder('utf8');
  let line = 1;
  let rest = '';
  let isTooLong = false;
  for await (const chunk of createReadStream(path)) {
    const parts = (rest + decoder.write(chunk)).split('\n');
    rest = parts.pop() ?? '';
    for (const text of parts) {
      yield { line, text: isTooLong || text.length > maxLength ? undefined : withoutMark(line, text) };
      isTooLong = false;
      line += 1;
    }
    if (rest.length > maxLength) {
      isTooLong = true;
      rest = '';
    }
  }
  if (rest !== '' || isTooLong) {
    yield { line, text: isTooLong ? undefined : withoutMark(line, rest) };
  }
}

/** Some programs begin a file with a byte order mark. */
function withoutMark(line: number, text: string): string {
  return line === 1 && text.startsWith('\uFEFF') ? text.slice(1) : text;
}
