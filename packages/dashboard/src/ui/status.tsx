export type Tone = 'success' | 'warning' | 'danger' | 'idle';

/** A status as a word with a dot of the matching color. */
export function Status({ tone, children }: { tone: Tone; children: string }) {
  return (
    <span className="dot" data-tone={tone}>
      {children}
    </span>
  );
}
