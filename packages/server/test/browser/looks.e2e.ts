import { expect, it } from 'vitest';
import { startChromium } from './chromium.ts';
import { countRequests, judgeLooks } from './looks.ts';

it('the check of looks finds text that is cut off, unless its title has all of it or it is only for screen readers', async () => {
  const browser = await startChromium();
  try {
    const page = await browser.newPage();
    countRequests(page);
    const long = 'A name that is far too long for the little room it has';
    const narrow = 'width: 80px; overflow: hidden; white-space: nowrap; text-overflow: ellipsis';
    await page.setContent(`<!doctype html><html lang="en"><title>Looks</title><body><main>
      <h1>Looks</h1>
      <p id="cut" style="${narrow}">${long}</p>
      <p id="low" style="width: 80px; height: 20px; overflow: hidden">${long}</p>
      <p id="told" style="${narrow}" title="${long}">${long}</p>
      <p id="heard" style="position: absolute; width: 1px; height: 1px; overflow: hidden; clip-path: inset(50%)">${long}</p>
      <p id="whole" style="width: 80px">${long}</p>
    </main></body></html>`);
    const found = await judgeLooks(page, 'names', [{ scheme: 'light', width: 1280 }]);
    const cut = found.flatMap((fault) => /cuts off <p id="(\w+)"/.exec(fault)?.[1] ?? []);
    expect(cut).toEqual(['cut', 'low', 'cut', 'low']);
  } finally {
    await browser.close();
  }
});

it('finds a table that scrolls sideways in a frame at any width, and no other', async () => {
  const browser = await startChromium();
  try {
    const page = await browser.newPage();
    countRequests(page);
    const row = '<tr><td><div style="width: 700px">wide</div></td></tr>';
    const frame = (id: string, style: string) =>
      `<section style="width: ${id === 'fitting' ? '720px' : '300px'}; ${style}" tabindex="0"><table id="${id}">${row}</table></section>`;
    await page.setContent(`<!doctype html><html lang="en"><title>Looks</title><body><main>
      <h1>Looks</h1>
      ${frame('wide', 'overflow-x: auto')} ${frame('fitting', 'overflow-x: auto')}
    </main></body></html>`);
    const found = await judgeLooks(page, 'tables', [
      { scheme: 'light', width: 1280 },
      { scheme: 'light', width: 360 },
    ]);
    const wide = found.flatMap((fault) => /scrolls <table id="(\w+)"/.exec(fault)?.[1] ?? []);
    expect(wide).toEqual(['wide', 'wide', 'wide']);
  } finally {
    await browser.close();
  }
});
