import { describe, expect, it } from 'vitest';
import { describeConfig, loadConfig } from './index.ts';

const read = (environment: Record<string, string>) => loadConfig(environment).config;
const problemsOf = (environment: Record<string, string>) => loadConfig(environment).problems.map((each) => each.name);

describe('the settings of webhooks', () => {
  it('retry five times within two days, wait 15 s for an answer and open no network by default', () => {
    expect(read({})).toMatchObject({
      webhookRetryDelaysSeconds: [60, 300, 1_800, 7_200, 86_400],
      webhookTimeoutSeconds: 15,
      webhookAllowNetworks: '',
      webhookCaFile: undefined,
      egressProxy: undefined,
      retentionDays: 30,
    });
  });

  it('are read from the environment', () => {
    expect(read({ SEATHOLD_WEBHOOK_RETRY_DELAYS: '1, 604800' })?.webhookRetryDelaysSeconds).toEqual([1, 604_800]);
    expect(read({ SEATHOLD_WEBHOOK_TIMEOUT: '60' })?.webhookTimeoutSeconds).toBe(60);
    expect(read({ SEATHOLD_RETENTION_DAYS: '2' })?.retentionDays).toBe(2);
    expect(read({ SEATHOLD_EGRESS_PROXY: 'http://a%40b:p%3A@proxy:4750' })?.egressProxy?.host).toBe('proxy:4750');
    expect(read({ SEATHOLD_EGRESS_PROXY: 'https://[fd00::1]:4750/' })?.egressProxy?.hostname).toBe('[fd00::1]');
  });

  it.each([
    ['SEATHOLD_WEBHOOK_RETRY_DELAYS', ['0', '604801', '1,,2', '1,', 'x', '1.5', '-1', '1,2,3,4,5,6,7,8,9,10,11']],
    ['SEATHOLD_WEBHOOK_TIMEOUT', ['0', '61', '15s', '1.5']],
    ['SEATHOLD_RETENTION_DAYS', ['1', '3651', 'ever']],
    [
      'SEATHOLD_EGRESS_PROXY',
      [
        'proxy:4750',
        'socks5://proxy:1080',
        'http://',
        'http://proxy/path',
        'http://proxy/?a',
        'http://%ff:secret@proxy',
      ],
    ],
  ])('refuse invalid values of %s', (name, texts) => {
    for (const text of texts) {
      expect(problemsOf({ [name]: text }), text).toEqual([name]);
    }
  });

  it('never show the password of the proxy, not even in errors', () => {
    const environment = { SEATHOLD_EGRESS_PROXY: 'http://user:hunter2@proxy/path' };
    expect(JSON.stringify(describeConfig(environment))).not.toContain('hunter2');
    expect(JSON.stringify(loadConfig(environment).problems)).not.toContain('hunter2');
  });
});
