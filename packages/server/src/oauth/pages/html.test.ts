import { describe, expect, it } from 'vitest';
import { html } from './html.ts';

describe('html', () => {
  it('escapes every value, in text and in attributes of either quotation mark', () => {
    const name = `<script>alert("1")</script> & 'x'`;
    expect(html`<p title="${name}">${name}</p>`.text).toBe(
      '<p title="&lt;script&gt;alert(&quot;1&quot;)&lt;/script&gt; &amp; &#39;x&#39;">' +
        '&lt;script&gt;alert(&quot;1&quot;)&lt;/script&gt; &amp; &#39;x&#39;</p>',
    );
  });

  it('inserts its own fragments and lists of them unchanged, and omits missing values', () => {
    const items = ['a', '<b>'].map((each) => html`<li>${each}</li>`);
    expect(html`<ul>${items}</ul>${undefined}${false}${7}`.text).toBe('<ul><li>a</li><li>&lt;b&gt;</li></ul>7');
  });
});
