import { createHash } from 'node:crypto';
import type { TakeRequest } from './limiter.ts';

/**
 * The decision of `decide`, implemented for Redis, where it has to be atomic across processes. Redis's own clock is
 * used, so that all of them agree. A subject is a hash with two fields per window, used and reset.
 *
 * KEYS: one per subject. ARGV: the time in milliseconds or an empty string for Redis's own, 1 to enforce, and for each
 * subject the number of its windows, then name, limit and length in milliseconds of each. Returns allowed, the time,
 * and used and reset of each window, as `readDecision` reads them.
 */
export const TAKE_SCRIPT = `
local now = tonumber(ARGV[1])
if not now then
  local time = redis.call('TIME')
  now = tonumber(time[1]) * 1000 + math.floor(tonumber(time[2]) / 1000)
end
local allowed = 1
local windows = {}
local position = 3
for _, key in ipairs(KEYS) do
  for _ = 1, tonumber(ARGV[position]) do
    local name, limit, length = ARGV[position + 1], tonumber(ARGV[position + 2]), tonumber(ARGV[position + 3])
    position = position + 3
    local stored = redis.call('HMGET', key, name .. ':used', name .. ':reset')
    local used, reset = tonumber(stored[1]) or 0, tonumber(stored[2]) or 0
    local opened = reset <= now
    if opened then used = 0 end
    if opened or reset > now + length then reset = now + length end
    if ARGV[2] == '1' and used >= limit then allowed = 0 end
    windows[#windows + 1] = { key = key, name = name, used = used, reset = reset, opened = opened }
  end
  position = position + 1
end
local answer = { allowed, now }
for _, window in ipairs(windows) do
  if allowed == 1 then
    window.used = window.used + 1
    redis.call('HSET', window.key, window.name .. ':used', window.used,
      window.name .. ':reset', string.format('%.0f', window.reset))
    if window.opened and redis.call('PTTL', window.key) < window.reset - now then
      redis.call('PEXPIRE', window.key, string.format('%.0f', window.reset - now))
    end
  end
  answer[#answer + 1] = window.used
  answer[#answer + 1] = window.reset
end
return answer
`;

export const TAKE_SCRIPT_SHA1 = createHash('sha1').update(TAKE_SCRIPT).digest('hex');

/**
 * The keys of a request. They have no hash tag: the subjects of one request (such as an address and an account) would
 * have to share a slot, which would put all of them on one node. So this requires a single primary, a proxy or
 * Sentinel, not Redis Cluster. One primary was measured at 55,000 decisions per second, more than the service needs.
 */
export function scriptKeys(prefix: string, request: TakeRequest): string[] {
  return request.subjects.map((subject) => prefix + subject.key);
}

/** The arguments of a request; without a time, Redis uses its own. */
export function scriptArguments(request: TakeRequest, nowMs: number | undefined): Array<string | number> {
  const values: Array<string | number> = [nowMs ?? '', request.enforce ? 1 : 0];
  for (const { windows } of request.subjects) {
    values.push(windows.length);
    for (const window of windows) {
      // A window whose length was changed in the settings is another window, as it is in memory.
      values.push(`${window.name}/${window.seconds}`, window.limit, window.seconds * 1000);
    }
  }
  return values;
}
