import { Code } from '../ui/index.ts';
import { useFacts } from './facts.ts';
import { forEnvironment } from './for-environment.ts';

/** Commands to copy, one in each line, for the environment that the dashboard shows. */
export function Command({ text, label }: { text: string; label?: string }) {
  const { environment } = useFacts();
  return <Code text={forEnvironment(text, environment)} {...(label === undefined ? {} : { label })} />;
}
