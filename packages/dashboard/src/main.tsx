import './app/mantine-styles.ts';
import './app/style.css';
import './app/table.css';
import { type ReactNode, StrictMode } from 'react';
import { createRoot } from 'react-dom/client';
import { type Facts, loadFacts } from './app/facts.ts';
import { watchLostFiles } from './app/lost-files.ts';
import { startMessages } from './i18n/index.ts';

/** Renders the application. It first loads one small file. */
async function start(): Promise<void> {
  const [facts] = await Promise.all([loadFacts(), startMessages()]);
  const root = document.getElementById('root');
  if (root !== null) {
    document.title = facts.brand.name;
    createRoot(root).render(<StrictMode>{await choosePage(facts)}</StrictMode>);
  }
}

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
