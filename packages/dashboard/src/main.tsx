import './app/mantine-styles.ts';
import './app/style.css';
import './app/table.css';
import './app/first-frame.css';
import { type ReactNode, StrictMode, startTransition } from 'react';
import { createRoot } from 'react-dom/client';
import { type Facts, loadFacts } from './app/facts.ts';
import { watchLostFiles } from './app/lost-files.ts';
import { startMessages } from './i18n/index.ts';

/** Renders the application. It first loads one small file. */
async function start(): Promise<void> {
  const [facts] = await Promise.all([loadFacts(), startMessages(), showFirstFrame()]);
  const root = document.getElementById('root');
  if (root !== null) {
    document.title = facts.brand.name;
    const page = await choosePage(facts);
    // As a transition, it renders in short steps. At once, it would block slow phones.
    startTransition(() => createRoot(root).render(<StrictMode>{page}</StrictMode>));
  }
}

/**
 * Lets the browser paint the frame of the page before it evaluates the rest of the scripts. It paints nothing in a hidden
 * tab, which must not wait for that.
 */
function showFirstFrame(): Promise<void> {
  return new Promise((resolve) => {
    requestAnimationFrame(() => setTimeout(resolve));
    setTimeout(resolve, FRAME_MS);
  });
}

const FRAME_MS = 100;

/** The portal runs in frames of other sites, so it contains only the webhooks screens of the dashboard. */
async function choosePage(facts: Facts): Promise<ReactNode> {
  if (window.location.pathname === '/portal') {
    const { enterPortal } = await import('./portal/enter-portal.tsx');
    return enterPortal(facts);
  }
  const [{ App }, { watchSession }] = await Promise.all([import('./app/app.tsx'), import('./api/index.ts')]);
  watchSession();
  return <App facts={facts} />;
}

watchLostFiles();
void start();
