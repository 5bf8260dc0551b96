/** The parts of Node.js that the client uses on it, on Bun, Deno, or in the main process of Electron. */
export interface NodeProcess {
  readonly platform: string;
  readonly pid: number;
  on(event: string, listener: () => void): void;
  off(event: string, listener: () => void): void;
  listenerCount(event: string): number;
  kill(pid: number, signal: string): void;
  getBuiltinModule?<Name extends keyof NodeModules>(name: Name): NodeModules[Name] | undefined;
}

/** The functions of Node.js's own modules that the client calls. */
interface NodeModules {
  'node:fs/promises': {
    readFile(path: string, encoding: 'utf8'): Promise<string>;
    writeFile(path: string, text: string, options: { mode: number }): Promise<void>;
    rename(from: string, to: string): Promise<void>;
    mkdir(path: string, options: { recursive: true }): Promise<unknown>;
  };
  'node:path': { dirname(path: string): string };
  'node:child_process': {
    execFile(
      file: string,
      args: readonly string[],
      options: { encoding: 'utf8'; windowsHide: true },
      done: (error: unknown, output: string) => void,
    ): void;
  };
}

/** The process, or undefined in a browser. Looked up on use, so that bundlers see no Node.js module. */
export function findProcess(): NodeProcess | undefined {
  const { process }: { process?: Partial<NodeProcess> } = Object(globalThis);
  return typeof process?.platform === 'string' && typeof process.on === 'function'
    ? (process as NodeProcess)
    : undefined;
}

/**
 * One of Node.js's own modules, or undefined. Node.js before 20.16 has no `getBuiltinModule`, so there it is imported
 * by a name that bundlers do not see and have to ignore.
 */
export async function findModule<Name extends keyof NodeModules>(name: Name): Promise<NodeModules[Name] | undefined> {
  const found = findProcess();
  if (found === undefined) {
    return undefined;
  }
  return found.getBuiltinModule === undefined
    ? import(/* webpackIgnore: true */ /* @vite-ignore */ name).catch(() => undefined)
    : found.getBuiltinModule(name);
}
