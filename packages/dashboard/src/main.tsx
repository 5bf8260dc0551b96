import './app/mantine-styles.ts';
import './app/style.css';
import { StrictMode } from 'react';
import { createRoot } from 'react-dom/client';
import { App } from './app/app.tsx';
import { loadFacts } from './app/facts.ts';
import { startMessages } from './i18n/index.ts';

/** Draws the application. What it has to know first is one small file. */
async function start(): Promise<void> {
  const [facts] = await Promise.all([loadFacts(), startMessages()]);
  const root = document.getElementById('root');
  if (root !== null) {
    document.title = facts.brand.name;
    createRoot(root).render(
      <StrictMode>
        <App facts={facts} />
      </StrictMode>,
    );
  }
}

void start();
