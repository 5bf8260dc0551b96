import { useUsageText } from './messages.ts';

const KNOWN = ['seats', 'ai_tokens', 'storage_gb'] as const;

/** Names a meter for people; those that the vendor adds have the name of the catalogue. */
export function useMeterName(): (name: string) => string {
  const t = useUsageText();
  return (name) => {
    const known = KNOWN.find((each) => each === name);
    return known === undefined ? name : t(known);
  };
}
