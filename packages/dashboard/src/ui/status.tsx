export type Tone = 'success' | 'warning' | 'danger' | 'idle';

/** A state as a word with a dot, which says the same by its color. */
export function Status({ tone, children }: { tone: Tone; children: string }) {
  return (
    <span className="dot" data-tone={tone}>
      {children}
    </span>
  );
}
