import { mkdir, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Page } from 'playwright-core';
import { codeOf } from '../packages/server/test/browser/auth-world.ts';
import { DashboardWorld, PASSWORD, type View } from '../packages/server/test/browser/dashboard-world.ts';
import { findFaults, settle } from '../packages/server/test/browser/looks.ts';
import { readMail } from '../packages/server/test/mail/read-mail.ts';
import { listScreens, type Screen, type Viewer } from './gallery/screens.ts';
import { type Seeded, seedGallery } from './gallery/seed-gallery.ts';
import { writeGalleryPage } from './gallery/write-gallery-page.ts';

// Pictures of every screen, of a service that is started and filled for it: `npm run gallery`. Needs Chromium and no network.
// Each screen is held against axe-core too, and nothing may scroll sideways. `npm run gallery -- overview license` takes these
// screens alone again.

const FOLDER = fileURLToPath(new URL('../docs/images/gallery/', import.meta.url));

/** The names of the screens to take; all if there are none. */
const ONLY: ReadonlySet<string> = new Set(process.argv.slice(2));

/** How a screen is looked at, and what its file is called after it. */
const LOOKS: ReadonlyArray<View & { suffix: string; isGermanOnly?: boolean }> = [
  { suffix: '', width: 1280 },
  { suffix: '-dark', width: 1280, scheme: 'dark' },
  { suffix: '-narrow', width: 360 },
  { suffix: '-german', width: 1280, locale: 'de', isGermanOnly: true },
];

process.exitCode = await main();

async function main(): Promise<number> {
  const world = await DashboardWorld.start({
    SEATHOLD_HEARTBEAT_INTERVAL: '600',
    SEATHOLD_SESSION_TIMEOUT: '86400',
  });
  try {
    if (ONLY.size === 0) {
      await rm(FOLDER, { recursive: true, force: true });
    }
    await mkdir(FOLDER, { recursive: true });
    const seeded = await seedGallery(world);
    const recovery = await setUpStaff(world, seeded.staffLink);
    const faults: string[] = [];
    for (const look of LOOKS) {
      faults.push(...(await walk(world, seeded, recovery, look)));
    }
    if (ONLY.size === 0) {
      await picturesOfMails(world);
    }
    await writeGalleryPage(FOLDER, listScreens(seeded.ids));
    console.log([...faults, ...world.complaints].join('\n'));
    return faults.length + world.complaints.length === 0 ? 0 : 1;
  } finally {
    await world.close();
  }
}

/** Takes all pictures of one look; returns what axe-core found and what scrolls sideways. */
async function walk(
  world: DashboardWorld,
  { customer, newcomer, ids }: Seeded,
  recovery: string[],
  look: (typeof LOOKS)[number],
) {
  const pages = new Map<Viewer, Page>([
    ['nobody', await world.newPage(look)],
    ['customer', await world.visit('/', customer, look)],
    ['newcomer', await world.visit('/', newcomer, look)],
    ['staff', await logInAsStaff(world, recovery, look)],
  ]);
  const faults: string[] = [];
  for (const screen of listScreens(ids)) {
    const page = pages.get(screen.viewer);
    const isLeftOut =
      look.isGermanOnly === true ? screen.inGerman !== true : screen.isOnce === true && look.suffix !== '';
    if (page === undefined || isLeftOut || (ONLY.size > 0 && !ONLY.has(screen.name))) {
      continue;
    }
    await show(world, page, screen);
    if (screen.isRefused === true) {
      world.complaints.length = 0;
    }
    const name = `${screen.name}${look.suffix}`;
    faults.push(...(await findFaults(page, name)));
    await picture(page, name);
    console.log(name);
  }
  await Promise.all([...pages.values()].map((page) => page.context().close()));
  return faults;
}

async function show(world: DashboardWorld, page: Page, { path, press }: Screen): Promise<void> {
  // Two addresses that differ after the # alone are one document to a browser.
  await page.goto('about:blank');
  await page.goto(world.baseUrl + path);
  await page.getByRole('heading').first().waitFor();
  await page.locator('.mantine-Skeleton-root').first().waitFor({ state: 'detached' });
  if (press !== undefined) {
    await page
      .getByRole('button', { name: press })
      .or(page.getByRole('tab', { name: press }))
      .first()
      .click();
    await page.getByRole('dialog').or(page.getByRole('tabpanel')).first().waitFor();
    await page.locator('.mantine-Skeleton-root').first().waitFor({ state: 'detached' });
  }
  await settle(page);
}

/** WebP takes a third of what PNG would; Playwright itself has only PNG and JPEG. */
async function picture(page: Page, name: string): Promise<void> {
  const devtools = await page.context().newCDPSession(page);
  const { data } = await devtools.send('Page.captureScreenshot', { format: 'webp', quality: 80 });
  await writeFile(join(FOLDER, `${name}.webp`), Buffer.from(data, 'base64'));
  await devtools.detach();
}

/** Sets the vendor's first owner up; returns the recovery codes. Each is good for one login. */
async function setUpStaff(world: DashboardWorld, link: string): Promise<string[]> {
  const page = await world.newPage();
  await page.goto(link);
  if (ONLY.size === 0) {
    await picture(page, 'staff-setup-link');
  }
  const key = (await page.locator('code').first().innerText()).replaceAll(' ', '');
  await page.getByLabel('New password').fill(PASSWORD);
  await page.getByLabel('Code', { exact: true }).fill(codeOf(key, 0));
  await page.getByRole('button', { name: 'Finish setup' }).click();
  await page.locator('.codes li').first().waitFor();
  const codes = (await page.locator('.codes li').allInnerTexts()).map((code) => code.trim());
  await page.context().close();
  return codes;
}

async function logInAsStaff(world: DashboardWorld, recovery: string[], look: View): Promise<Page> {
  const page = await world.newPage(look);
  await page.goto(`${world.baseUrl}/login?next=%2Fstaff`);
  await page.locator('input[name=email]').fill('staff@seathold.example');
  await page.locator('input[name=password]').fill(PASSWORD);
  await page.keyboard.press('Enter');
  await page.locator('input[name=code]').fill(recovery.pop() ?? '');
  await page.keyboard.press('Enter');
  await page.locator('main#content').getByRole('heading', { level: 1 }).waitFor();
  return page;
}

/** The HTML of one mail of each kind, as a mail program shows it. */
async function picturesOfMails(world: DashboardWorld): Promise<void> {
  const page = await world.newPage({ width: 720 });
  const names = (await readdir(world.folder, { recursive: true })).filter((name) => name.endsWith('.eml'));
  const seen = new Set<string>();
  for (const name of names.sort()) {
    const { headers, parts } = readMail(await readFile(join(world.folder, name), 'utf8'));
    const kind = (headers.get('subject') ?? '')
      .replace(/^\[sandbox\] /, '')
      .toLowerCase()
      .replace(/\W+/g, '-');
    const html = parts.find((part) => part.headers.get('content-type')?.startsWith('text/html'))?.text;
    if (html !== undefined && !seen.has(kind)) {
      seen.add(kind);
      await page.setContent(html);
      await picture(page, `mail-${kind}`);
    }
  }
  await page.context().close();
}
