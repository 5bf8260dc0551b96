import { inkOn, readableOn } from './page-color.ts';

const PAPER = { light: '#ffffff', dark: '#1b1e25' };

/** The style sheet of all pages: the dashboard's look, light and dark by the reader's setting; readable at 320 pixels. */
export function createStyleSheet(brandColor: string): string {
  const light = readableOn(brandColor, PAPER.light);
  const dark = readableOn(brandColor, PAPER.dark);
  return `:root {
  color-scheme: light dark;
  --paper: ${PAPER.light};
  --ground: #f7f8fa;
  --ink: #16181d;
  --muted: #4f5868;
  --line: #d7dbe3;
  --field: #868e9c;
  --action: ${light};
  --button: ${brandColor};
  --button-ink: ${inkOn(brandColor)};
  --alert: #b91c1c;
  --alert-ground: #fef2f2;
  --sandbox-ground: #fff3d6;
  --sandbox-ink: #6b3d00;
  --sandbox-line: #f0b429;
}
@media (prefers-color-scheme: dark) {
  :root {
    --paper: ${PAPER.dark};
    --ground: #14161c;
    --ink: #eef0f4;
    --muted: #aeb5c2;
    --line: #3a404d;
    --field: #6c7585;
    --action: ${dark};
    --alert: #ff9f97;
    --alert-ground: #3b1512;
    --sandbox-ground: #3b2a05;
    --sandbox-ink: #ffdf9e;
    --sandbox-line: #b7791f;
  }
}
${RULES}`;
}

const RULES = `* { box-sizing: border-box; }
body {
  margin: 0;
  min-height: 100vh;
  background: var(--ground);
  color: var(--ink);
  font: 0.9375rem/1.5 system-ui, -apple-system, "Segoe UI", Roboto, "Helvetica Neue", sans-serif;
  overflow-wrap: anywhere;
}
.environment {
  margin: 0;
  padding: 0.25rem 1rem;
  background: var(--sandbox-ground);
  color: var(--sandbox-ink);
  border-bottom: 1px solid var(--sandbox-line);
  font-size: 0.8125rem;
  text-align: center;
}
header, main { width: calc(100% - 2rem); max-width: 25rem; margin: 0 auto; }
header { padding-top: min(10vh, 6rem); }
main {
  margin-bottom: 3rem;
  padding: 1.75rem;
  background: var(--paper);
  border: 1px solid var(--line);
  border-radius: 0.5rem;
}
@media (max-width: 40em) {
  header { padding-top: 2rem; }
  main { padding: 1.25rem; }
}
.brand { display: flex; gap: 0.625rem; align-items: center; justify-content: center; margin: 0 0 1.5rem; font-size: 1.125rem; font-weight: 700; }
.brand > * { flex: none; }
h1 { margin: 0 0 1rem; font-size: 1.375rem; font-weight: 600; line-height: 1.25; }
h2 { margin: 1.5rem 0 0.5rem; font-size: 1rem; font-weight: 600; }
p { margin: 0 0 1rem; }
ul { margin: 0 0 1rem; padding-left: 1.25rem; }
dl { margin: 0 0 1rem; }
dt { color: var(--muted); font-size: 0.8125rem; }
dd { margin: 0 0 0.5rem; font-weight: 500; }
main > :last-child { margin-bottom: 0; }
fieldset { margin: 0 0 1rem; padding: 0.75rem 1rem; border: 1px solid var(--line); border-radius: 0.5rem; }
legend { padding: 0 0.25rem; font-weight: 500; }
label { display: block; font-size: 0.875rem; font-weight: 500; }
.choice { display: flex; gap: 0.5rem; align-items: flex-start; padding: 0.375rem 0; font-weight: 400; }
.choice input { margin-top: 0.25rem; accent-color: var(--action); }
.field { margin: 0 0 1rem; }
.hint { margin: 0; color: var(--muted); font-size: 0.8125rem; }
input:not([type="radio"]) {
  width: 100%;
  min-height: 2.25rem;
  margin-top: 0.25rem;
  padding: 0.375rem 0.75rem;
  border: 1px solid var(--field);
  border-radius: 0.5rem;
  background: var(--paper);
  color: var(--ink);
  font: inherit;
}
input[aria-invalid="true"] { border-color: var(--alert); }
button, .button {
  display: block;
  width: 100%;
  min-height: 2.25rem;
  margin: 0 0 0.75rem;
  padding: 0.375rem 1rem;
  border: 1px solid var(--button);
  border-radius: 0.5rem;
  background: var(--button);
  color: var(--button-ink);
  font: inherit;
  font-size: 0.875rem;
  font-weight: 600;
  text-align: center;
  text-decoration: none;
  cursor: pointer;
}
button.secondary { background: transparent; border-color: var(--field); color: var(--ink); }
form:last-child button { margin-bottom: 0; }
a { color: var(--action); }
.codes { columns: 2; list-style: none; padding: 0; }
.qr { text-align: center; }
.qr svg { max-width: 100%; height: auto; border-radius: 0.5rem; }
code, .code { font-family: ui-monospace, SFMono-Regular, Menlo, Consolas, monospace; font-size: 0.8125rem; }
input.code, .device-code { font-size: 1.5rem; letter-spacing: 0.1em; text-transform: uppercase; }
:focus-visible { outline: 2px solid var(--action); outline-offset: 2px; }
.alert {
  padding: 0.75rem 1rem;
  border: 1px solid var(--alert);
  border-left-width: 4px;
  border-radius: 0.375rem;
  background: var(--alert-ground);
  color: var(--alert);
  font-size: 0.875rem;
}
`;
