/** An SDK in `sdks/`, and how its tests run. */
export interface Sdk {
  /** Its folder. */
  name: string;
  /** Programs that must all be there; `a|b` means one of the two. */
  needs: readonly string[];
  /**
   * Commands in its folder, one after the other. The last one runs the vectors and, where SEATHOLD_URL, SEATHOLD_CA_FILE,
   * SEATHOLD_TOKEN, SEATHOLD_LICENSE_KEY and SEATHOLD_ACTIVATION_KEY name a service, tries it too.
   */
  commands: ReadonlyArray<readonly string[]>;
  /** Variables for the commands. */
  env?: Readonly<Record<string, string>>;
}

export const SDKS: readonly Sdk[] = [
  {
    name: 'python',
    needs: ['python3'],
    commands: [['python3', '-m', 'unittest', 'discover', '-s', '.', '-t', '.', '-p', 'test_*.py']],
    env: { PYTHONPATH: 'src', PYTHONDONTWRITEBYTECODE: '1' },
  },
  {
    name: 'go',
    needs: ['go'],
    commands: [
      ['go', 'vet', './...'],
      ['go', 'test', '-count=1', './...'],
    ],
    env: { GOFLAGS: '-mod=mod', GOTOOLCHAIN: 'local' },
  },
  {
    name: 'cpp',
    needs: ['g++', 'make', 'curl-config'],
    commands: [['make', '--silent', 'test']],
  },
  {
    name: 'csharp',
    needs: ['mono', 'mcs', 'make'],
    commands: [['make', '--silent', 'test']],
  },
];
