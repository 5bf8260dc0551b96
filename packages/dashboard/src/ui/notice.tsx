import type { ReactNode } from 'react';
import type { Tone } from './status.tsx';
import './notice.css';

/** A notice about the screen's content, with an optional action. */
export function Notice(props: { tone: Tone; title: string; text?: ReactNode; children?: ReactNode }) {
  const { tone, title, text, children } = props;
  return (
    <div className="notice" data-tone={tone} role="status">
      <div className="notice-body">
        <div className="notice-title">{title}</div>
        {text !== undefined && <div className="notice-text">{text}</div>}
      </div>
      {children}
    </div>
  );
}
