import { InvalidArgumentError } from 'commander';

/** Collects `name=value` of a repeatable option; an empty value removes the name. */
export function addPair(text: string, before: Readonly<Record<string, string>> = {}): Record<string, string> {
  const mark = text.indexOf('=');
  if (mark < 1) {
    throw new InvalidArgumentError('It must be name=value.');
  }
  return { ...before, [text.slice(0, mark)]: text.slice(mark + 1) };
}
