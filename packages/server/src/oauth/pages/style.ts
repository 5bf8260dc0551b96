/** The style sheet of all pages: no images, no fonts; light and dark by the reader's setting; readable at 320 pixels. */
export const STYLE_SHEET = `:root {
  color-scheme: light dark;
  --paper: #ffffff;
  --ground: #f3f4f6;
  --ink: #16181d;
  --muted: #4b5563;
  --line: #6b7280;
  --action: #1d4ed8;
  --action-ink: #ffffff;
  --alert: #b91c1c;
  --alert-ground: #fef2f2;
  --focus: #1d4ed8;
}
@media (prefers-color-scheme: dark) {
  :root {
    --paper: #1b1e25;
    --ground: #101218;
    --ink: #f3f4f6;
    --muted: #b6bcc8;
    --line: #8b93a3;
    --action: #93b4ff;
    --action-ink: #0b1020;
    --alert: #ffb4ab;
    --alert-ground: #3b1512;
    --focus: #93b4ff;
  }
}
* { box-sizing: border-box; }
body {
  margin: 0;
  padding: 1rem;
  min-height: 100vh;
  background: var(--ground);
  color: var(--ink);
  font: 1rem/1.5 system-ui, sans-serif;
  overflow-wrap: anywhere;
}
header, main { max-width: 28rem; margin: 0 auto; }
.brand { margin: 1rem 0; font-weight: 700; }
.badge { margin-left: 0.25rem; padding: 0.125rem 0.5rem; border: 1px solid var(--line); border-radius: 1rem; font-size: 0.875rem; }
.notice { margin: 0 0 1rem; color: var(--muted); }
main {
  padding: 1.5rem;
  background: var(--paper);
  border: 1px solid var(--line);
  border-radius: 0.5rem;
}
h1 { margin: 0 0 1rem; font-size: 1.5rem; line-height: 1.25; }
h2 { margin: 1.5rem 0 0.5rem; font-size: 1.125rem; }
p { margin: 0 0 1rem; }
ul { margin: 0 0 1rem; padding-left: 1.25rem; }
dl { margin: 0 0 1rem; }
dt { color: var(--muted); }
dd { margin: 0 0 0.5rem; font-weight: 600; }
fieldset { margin: 0 0 1rem; padding: 0.75rem 1rem; border: 1px solid var(--line); border-radius: 0.375rem; }
legend { padding: 0 0.25rem; font-weight: 600; }
label { display: block; font-weight: 600; }
.choice { display: flex; gap: 0.5rem; align-items: flex-start; padding: 0.375rem 0; font-weight: 400; }
.choice input { margin-top: 0.375rem; }
.field { margin: 0 0 1rem; }
.hint { margin: 0; color: var(--muted); }
input:not([type="radio"]) {
  width: 100%;
  min-height: 2.75rem;
  padding: 0.5rem 0.75rem;
  border: 1px solid var(--line);
  border-radius: 0.375rem;
  background: var(--paper);
  color: var(--ink);
  font: inherit;
}
input[aria-invalid="true"] { border-color: var(--alert); border-width: 2px; }
button {
  width: 100%;
  min-height: 2.75rem;
  margin: 0 0 0.75rem;
  padding: 0.5rem 1rem;
  border: 1px solid var(--action);
  border-radius: 0.375rem;
  background: var(--action);
  color: var(--action-ink);
  font: inherit;
  font-weight: 600;
  cursor: pointer;
}
button.secondary { background: transparent; color: var(--action); }
a { color: var(--action); }
.codes { columns: 2; list-style: none; padding: 0; }
.qr { text-align: center; }
.qr svg { max-width: 100%; height: auto; border-radius: 0.375rem; }
code, .code { font-family: ui-monospace, monospace; }
input.code, .device-code { font-size: 1.5rem; letter-spacing: 0.1em; text-transform: uppercase; }
:focus-visible { outline: 3px solid var(--focus); outline-offset: 2px; }
.alert {
  padding: 0.75rem 1rem;
  border-left: 4px solid var(--alert);
  background: var(--alert-ground);
  color: var(--alert);
}
`;
