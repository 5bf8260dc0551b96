import { useUsageText } from './messages.ts';

const KNOWN = ['seats', 'ai_tokens', 'storage_gb'] as const;

/** The display name of a meter; the vendor's own meters use their name in the catalogue. */
export function useMeterName(): (name: string) => string {
  const t = useUsageText();
  return (name) => {
    const known = KNOWN.find((each) => each === name);
    return known === undefined ? name : t(known);
  };
}
