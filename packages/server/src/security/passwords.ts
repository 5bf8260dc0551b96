import { hash, verify } from '@node-rs/argon2';

/** Argon2id parameters (OWASP Password Storage Cheat Sheet): memory in KiB, passes, lanes. */
export interface Argon2Parameters {
  memoryKib: number;
  passes: number;
  lanes: number;
}

/**
 * Hashes and checks passwords with Argon2id, a bounded number at a time: hashing runs in the thread pool, and a flood
 * of logins must neither starve the license signatures that share it nor grow the memory.
 */
export class PasswordHasher {
  readonly #parameters: Argon2Parameters;
  readonly #gate: Gate;
  #dummy: Promise<string> | undefined;

  /** @param overflow creates the error thrown if more than `maxWaiting` are waiting. */
  constructor(parameters: Argon2Parameters, limits: { concurrent: number; maxWaiting: number; overflow(): Error }) {
    this.#parameters = parameters;
    this.#gate = new Gate(limits.concurrent, limits.maxWaiting, limits.overflow);
  }

  /** The PHC string of a password, which contains its parameters. */
  hash(password: string): Promise<string> {
    return this.#gate.run(() => hash(normalize(password), this.#options()));
  }

  /**
   * Whether the password is the stored one. Without a stored hash (no such account), a fixed hash is checked so that
   * both take equally long, and the result is false.
   */
  async verify(stored: string | undefined, password: string): Promise<boolean> {
    const against = stored ?? (await this.#dummyHash());
    const matches = await this.#gate.run(() => verify(against, normalize(password)));
    return matches && stored !== undefined;
  }

  /**
   * Whether a stored hash was created with other than the current parameters and should be replaced at the next login.
   */
  isOutdated(stored: string): boolean {
    const { memoryKib, passes, lanes } = this.#parameters;
    return !stored.startsWith(`$argon2id$v=19$m=${memoryKib},t=${passes},p=${lanes}$`);
  }

  #dummyHash(): Promise<string> {
    this.#dummy ??= hash('no account has this password', this.#options());
    return this.#dummy;
  }

  #options() {
    const { memoryKib, passes, lanes } = this.#parameters;
    return { memoryCost: memoryKib, timeCost: passes, parallelism: lanes, algorithm: ARGON2ID };
  }
}

/** The library's own constant is an ambient enum, which erasable TypeScript cannot read; 2 is Argon2id. */
const ARGON2ID = 2;

/** Normalized, so that a password typed on another keyboard still matches (NIST SP 800-63B §3.1.1.2). */
function normalize(password: string): string {
  return password.normalize('NFKC');
}

/** Lets `concurrent` tasks run at the same time and at most `maxWaiting` wait. */
class Gate {
  readonly #waiting: Array<() => void> = [];
  readonly #maxWaiting: number;
  readonly #overflow: () => Error;
  #free: number;

  constructor(concurrent: number, maxWaiting: number, overflow: () => Error) {
    this.#free = concurrent;
    this.#maxWaiting = maxWaiting;
    this.#overflow = overflow;
  }

  async run<T>(work: () => Promise<T>): Promise<T> {
    await this.#enter();
    try {
      return await work();
    } finally {
      const next = this.#waiting.shift();
      if (next === undefined) {
        this.#free += 1;
      } else {
        next();
      }
    }
  }

  #enter(): Promise<void> {
    if (this.#free > 0) {
      this.#free -= 1;
      return Promise.resolve();
    }
    if (this.#waiting.length >= this.#maxWaiting) {
      return Promise.reject(this.#overflow());
    }
    return new Promise((resolve) => this.#waiting.push(resolve));
  }
}
