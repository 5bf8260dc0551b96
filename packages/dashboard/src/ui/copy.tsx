import { useState } from 'react';
import { Icon } from './icons.tsx';
import { useUiText } from './messages.ts';

const SHOWN_MS = 2_000;

/** A button that copies a text. */
export function CopyButton({ text, label }: { text: string; label?: string }) {
  const t = useUiText();
  const [isCopied, setCopied] = useState(false);
  const copy = async () => {
    await navigator.clipboard.writeText(text);
    setCopied(true);
    setTimeout(() => setCopied(false), SHOWN_MS);
  };
  const name = isCopied ? t('copied') : t('copy_id', { id: label ?? text });
  return (
    <button type="button" className="icon-button" aria-label={name} title={name} onClick={() => void copy()}>
      <Icon name={isCopied ? 'check' : 'copy'} size={16} />
    </button>
  );
}

/** An id, key or address, and the button that copies it. */
export function CopyId({ id }: { id: string }) {
  return (
    <span className="id">
      <code title={id}>{id}</code>
      <CopyButton text={id} />
    </span>
  );
}

/** A command or a piece of code, and the button that copies it. */
export function Code({ text, label }: { text: string; label?: string }) {
  return (
    <div style={{ position: 'relative' }}>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reachable by keyboard (WCAG 2.1.1). */}
      <pre className="code" tabIndex={0}>
        {text}
      </pre>
      <div className="code-copy">
        <CopyButton text={text} {...(label === undefined ? {} : { label })} />
      </div>
    </div>
  );
}
