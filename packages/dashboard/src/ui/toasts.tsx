import { useSyncExternalStore } from 'react';

interface Toast {
  id: number;
  text: string;
  action: ToastAction | undefined;
}

/** The follow-up action of a toast. */
interface ToastAction {
  label: string;
  run: () => void;
}

const SHOWN_MS = 5_000;

let toasts: readonly Toast[] = [];
let next = 1;
const listeners = new Set<() => void>();

/** Shows in a corner that something was done, and announces it to screen readers. */
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
