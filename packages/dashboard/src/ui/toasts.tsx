import { useSyncExternalStore } from 'react';

interface Toast {
  id: number;
  text: string;
  action: ToastAction | undefined;
}

/** What a person can do about what was done. */
interface ToastAction {
  label: string;
  run: () => void;
}

const SHOWN_MS = 5_000;

let toasts: readonly Toast[] = [];
let next = 1;
const listeners = new Set<() => void>();

/** Says in a corner that something was done, and to screen readers too. */
export function showToast(text: string, action?: ToastAction): void {
  const toast = { id: next, text, action };
  next += 1;
  change([...toasts, toast]);
  setTimeout(() => change(toasts.filter(({ id }) => id !== toast.id)), SHOWN_MS);
}

/** Where toasts appear. */
export function Toasts() {
  const shown = useSyncExternalStore(subscribe, () => toasts);
  return (
    <div className="toasts" role="status" aria-live="polite">
      {shown.map(({ id, text, action }) => (
        <div key={id} className="toast">
          {text}
          {action !== undefined && (
            <button type="button" onClick={action.run}>
              {action.label}
            </button>
          )}
        </div>
      ))}
    </div>
  );
}

function change(to: readonly Toast[]): void {
  toasts = to;
  for (const listener of listeners) {
    listener();
  }
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}
