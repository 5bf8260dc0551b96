/** The `data` of each event of a stream (WHATWG HTML, 9.2.6), as far as the service writes it: LF, one line of data. */
export async function* readServerSentEvents(body: ReadableStream<Uint8Array>): AsyncGenerator<string> {
  const decoder = new TextDecoder();
  const reader = body.getReader();
  let text = '';
  try {
    for (let part = await reader.read(); !part.done; part = await reader.read()) {
      text += decoder.decode(part.value, { stream: true });
      const blocks = text.split('\n\n');
      text = blocks.pop() ?? '';
      for (const block of blocks) {
        const line = block.split('\n').find((each) => each.startsWith('data:'));
        if (line !== undefined) {
          yield line.slice('data:'.length).trimStart();
        }
      }
    }
  } finally {
    await reader.cancel();
  }
}
