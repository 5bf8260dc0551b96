import { existsSync } from 'node:fs';
import { type Browser, chromium } from 'playwright-core';

/**
 * Starts the system's Chromium, which no npm package includes. `CHROMIUM` is the path of another one. `more` are
 * further switches. The headless shell is the same engine without windows.
 */
export async function startChromium(more: readonly string[] = []): Promise<Browser> {
  const executablePath = [process.env.CHROMIUM, ...INSTALLED].find((path) => path !== undefined && existsSync(path));
  if (executablePath === undefined) {
    throw new Error('there is no Chromium: install it (Debian: chromium), or name it in CHROMIUM');
  }
  const browser = await chromium.launch({ executablePath, args: [...QUIET, ...AS_ROOT, ...more] });
  browser.on('context', (context) => context.setDefaultTimeout(PATIENCE_MS));
  return browser;
}

/** Only ever ends a hang: on a busy machine a page may take minutes. */
const PATIENCE_MS = 600_000;

const INSTALLED = ['/usr/bin/chromium-headless-shell', '/usr/bin/chromium', '/usr/bin/chromium-browser'];

/** Nothing is requested from the internet. */
const QUIET = [
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-gpu',
  '--disable-quic',
  '--disable-sync',
  '--no-first-run',
  // The address bar's pop-ups are separate pages, created for each window: a sixth of the browser's work, which nobody
  // sees. The last switch counts, so this repeats what Playwright disables.
  `--disable-features=${[
    'WebUIOmniboxPopup',
    'WebUIOmniboxAimPopup',
    'AimEnabled',
    'AvoidCorsURLLoaderRestartOnRedirect',
    'AvoidUnnecessaryBeforeUnloadCheckSync',
    'DestroyProfileOnBrowserClose',
    'HttpsFirstBalancedModeAutoEnable',
    'HttpsUpgrades',
    'LensOverlay',
    'MediaRouter',
    'NetworkTimeServiceQuerying',
    'OptimizationHints',
    'PaintHolding',
    'PreconnectToSearch',
    'ThirdPartyStoragePartitioning',
  ].join()}`,
];

/** Root cannot create Chromium's own sandbox. */
const AS_ROOT = process.getuid?.() === 0 ? ['--no-sandbox'] : [];
