import type { ReactNode } from 'react';
import type { Tone } from './status.tsx';
import './notice.css';

/** Something that the person should know about what the screen shows, and what they can do about it. */
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
