import type { Phrase, PhraseException } from './phrases.ts';

export interface TextFile {
  readonly path: string;
  readonly text: string;
}

export interface Finding {
  readonly path: string;
  readonly line: number;
  readonly message: string;
}

/** Finds the phrases in the files, except where an exception permits them, and the exceptions that nothing needs. */
export function checkWords(
  files: readonly TextFile[],
  phrases: readonly Phrase[],
  exceptions: readonly PhraseException[],
): Finding[] {
  const needed = new Set<PhraseException>();
  const found = phrases.flatMap((phrase) => {
    const search = expressionOf(phrase);
    return files.flatMap(({ path, text }) =>
      [...text.matchAll(search)].flatMap((match) => {
        const exception = exceptions.find((each) => each.pattern === phrase.pattern && path.startsWith(each.path));
        if (exception !== undefined) {
          needed.add(exception);
          return [];
        }
        const words = match[0].replace(/\s+/g, ' ');
        return [{ path, line: lineAt(text, match.index), message: `"${words}": write ${phrase.instead}` }];
      }),
    );
  });
  const unneeded = exceptions.filter((exception) => !needed.has(exception));
  return [...found, ...unneeded.map(({ path, pattern }) => ({ path, line: 1, message: `no longer has "${pattern}"` }))];
}

/** Between two words of a phrase a line may end, and a comment or a quotation go on in the next. */
function expressionOf({ pattern }: Phrase): RegExp {
  return new RegExp(`\\b(?:${pattern.replaceAll(' ', '\\s+(?:(?:\\*|//|>|#)\\s+)?')})\\b`, 'gi');
}

function lineAt(text: string, index: number): number {
  return text.slice(0, index).split('\n').length;
}
