import { expect, test } from 'vitest';
import { isLoopback } from './loopback.ts';

test.each([
  'http://localhost:3000/',
  'https://LOCALHOST/',
  'http://127.0.0.1/',
  'http://127.255.0.9/',
  'http://[::1]/',
])('%s is this machine', (url) => expect(isLoopback(new URL(url))).toBe(true));

test.each([
  'http://receiver.localhost/',
  'http://localhost./',
  'http://notlocalhost/',
  'http://localhost.example.com/',
  'http://128.0.0.1/',
  'http://0.0.0.0/',
  'http://[::2]/',
])('%s may be another machine', (url) => expect(isLoopback(new URL(url))).toBe(false));
