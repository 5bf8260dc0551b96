import { describe, expect, it } from 'vitest';
import { labelProcess, MetricsSum } from './add-up-metrics.ts';

const counted = (requests: number, open: number) => `# HELP requests_total Requests, with "quotes" and spaces.
# TYPE requests_total counter
requests_total{route="/a b",status="200"} ${requests}

# HELP connections Open connections.
# TYPE connections gauge
connections ${open}

# HELP seconds Times.
# TYPE seconds histogram
seconds_bucket{le="0.5"} ${requests}
seconds_bucket{le="+Inf"} ${requests}
seconds_sum 0.25
seconds_count ${requests}
`;

const read = (text: string, key: string) =>
  Number(
    text
      .split('\n')
      .find((line) => line.startsWith(`${key} `))
      ?.slice(key.length),
  );

describe('the sum of the metrics of all processes', () => {
  it('adds up counters, histograms and gauges by their labels, under one description', () => {
    const sum = new MetricsSum();
    sum.note({}, counted(2, 10));
    sum.note({}, counted(3, 20));
    const text = sum.write();
    expect(read(text, 'requests_total{route="/a b",status="200"}')).toBe(5);
    expect(read(text, 'connections')).toBe(30);
    expect(read(text, 'seconds_bucket{le="+Inf"}')).toBe(5);
    expect(read(text, 'seconds_sum')).toBe(0.5);
    expect(text.match(/^# TYPE /gm)).toHaveLength(3);
  });

  it('uses the newest report of each process', () => {
    const [sum, one] = [new MetricsSum(), {}];
    sum.note(one, counted(2, 10));
    sum.note(one, counted(7, 5));
    expect(read(sum.write(), 'seconds_count')).toBe(7);
  });

  it('keeps the counts of a process that died, but not its open connections', () => {
    const [sum, one, other] = [new MetricsSum(), {}, {}];
    sum.note(one, counted(2, 10));
    sum.note(other, counted(3, 20));
    sum.end(one);
    const text = sum.write();
    expect(read(text, 'requests_total{route="/a b",status="200"}')).toBe(5);
    expect(read(text, 'connections')).toBe(20);
  });
});

describe('the metrics of one process', () => {
  it('get its name as a label', () => {
    const text =
      '# HELP memory_bytes Memory of {all}.\n# TYPE memory_bytes gauge\nmemory_bytes 5\nlag{quantile="p99"} 0.5\n';
    expect(labelProcess(text, 'request-1')).toBe(
      '# HELP memory_bytes Memory of {all}.\n# TYPE memory_bytes gauge\nmemory_bytes{process="request-1"} 5\nlag{quantile="p99",process="request-1"} 0.5\n',
    );
  });
});
