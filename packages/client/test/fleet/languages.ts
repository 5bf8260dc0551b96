import { spawnSync } from 'node:child_process';
import { join, resolve } from 'node:path';

/** How programs in one language are started. */
export interface Language {
  readonly name: string;
  readonly command: readonly string[];
  readonly env: Readonly<Record<string, string>>;
  /** Whether its programs can be given their own time of day. */
  readonly canShiftClock: boolean;
}

const PROGRAMS = resolve(import.meta.dirname, 'programs');
const SDKS = resolve(import.meta.dirname, '../../../../sdks');

/**
 * The languages whose toolchain is installed. What must be built for them goes into the folder. Prints which languages
 * are left out, and why.
 */
export function prepareLanguages(folder: string): Language[] {
  const clock = buildClock(folder);
  return [TYPESCRIPT, preparePython(), prepareGo(folder), prepareCpp(folder)].flatMap((language) => {
    if (typeof language === 'string') {
      console.log(language);
      return [];
    }
    return [
      clock === undefined || !language.canShiftClock
        ? { ...language, canShiftClock: false }
        : { ...language, env: { ...language.env, LD_PRELOAD: clock } },
    ];
  });
}

const TYPESCRIPT: Language = {
  name: 'typescript',
  command: [process.execPath, '--disable-warning=ExperimentalWarning', join(PROGRAMS, 'program.ts')],
  env: {},
  canShiftClock: true,
};

function preparePython(): Language | string {
  const check = 'import sys; print(sys.executable); sys.exit(sys.version_info < (3, 9))';
  const { status, stdout } = spawnSync('python3', ['-c', check], { encoding: 'utf8' });
  return status === 0
    ? {
        name: 'python',
        command: [stdout.trim(), join(PROGRAMS, 'program.py')],
        env: { PYTHONPATH: join(SDKS, 'python/src'), PYTHONDONTWRITEBYTECODE: '1' },
        canShiftClock: true,
      }
    : 'python: left out, because python3 of version 3.9 or later is not installed';
}

function prepareGo(folder: string): Language | string {
  if (!isInstalled('go')) {
    return 'go: left out, because go is not installed';
  }
  const program = join(folder, 'fleet-go');
  run('go', ['build', '-o', program, '.'], join(PROGRAMS, 'go'), { GOFLAGS: '-mod=mod', GOTOOLCHAIN: 'local' });
  // Go reads the clock from the kernel, not from the C library.
  return { name: 'go', command: [program], env: {}, canShiftClock: false };
}

function prepareCpp(folder: string): Language | string {
  if (!isInstalled('g++') || !isInstalled('curl-config')) {
    return 'cpp: left out, because g++ or libcurl with its headers is not installed';
  }
  const program = join(folder, 'fleet-cpp');
  const include = `-I${join(SDKS, 'cpp/include')}`;
  const words = ['-std=c++17', '-O0', include, 'program.cpp', '-o', program, '-pthread', '-lcurl', '-lcrypto'];
  run('g++', words, PROGRAMS);
  return { name: 'cpp', command: [program], env: {}, canShiftClock: true };
}

function buildClock(folder: string): string | undefined {
  if (process.platform !== 'linux' || !isInstalled('gcc')) {
    console.log('clocks do not jump, because gcc is not installed');
    return undefined;
  }
  const library = join(folder, 'clock.so');
  run('gcc', ['-O1', '-shared', '-fPIC', 'clock.c', '-o', library], PROGRAMS);
  return library;
}

function isInstalled(program: string): boolean {
  return spawnSync('sh', ['-c', `command -v ${program}`]).status === 0;
}

function run(program: string, words: readonly string[], cwd: string, env: Record<string, string> = {}): void {
  const { status, stderr } = spawnSync(program, words, { cwd, env: { ...process.env, ...env }, encoding: 'utf8' });
  if (status !== 0) {
    throw new Error(`${program} failed:\n${stderr}`);
  }
}
