import type { ReactNode } from 'react';
import './choices.css';

/** One option. */
export interface Choice<Value extends string> {
  value: Value;
  title: ReactNode;
  text?: ReactNode;
  isDisabled?: boolean;
}

interface ChoicesProps<Value extends string> {
  legend: string;
  name: string;
  options: ReadonlyArray<Choice<Value>>;
  value: Value | undefined;
  choose: (value: Value) => void;
  /** Side by side if there is space. */
  isWide?: boolean;
}

/** Radio buttons with descriptions. */
export function Choices<Value extends string>(props: ChoicesProps<Value>) {
  const { legend, name, options, value: chosen, choose, isWide = false } = props;
  return (
    <fieldset className={isWide ? 'choices is-wide' : 'choices'}>
      <legend>{legend}</legend>
      {options.map(({ value, title, text, isDisabled = false }) => (
        <label key={value} className="choice">
          <input
            type="radio"
            name={name}
            value={value}
            checked={value === chosen}
            disabled={isDisabled}
            required
            onChange={() => choose(value)}
          />
          <span className="choice-body">
            <span className="choice-title">{title}</span>
            {text !== undefined && <span className="choice-text">{text}</span>}
          </span>
        </label>
      ))}
    </fieldset>
  );
}
