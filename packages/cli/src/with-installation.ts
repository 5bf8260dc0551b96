import type { Installation } from '@seathold/server/operator/connect-installation';

/**
 * Opens one environment's data for a command and closes it again. The server's code is loaded only now, and of its
 * commands only `part`, because loading all takes twice as long.
 */
export async function withInstallation<Part>(
  part: () => Promise<Part>,
  isSandbox: boolean,
  work: (operator: Part, installation: Installation) => Promise<void>,
): Promise<void> {
  const { connectInstallation } = await import('@seathold/server/operator/connect-installation');
  const installation = await connectInstallation(process.env, isSandbox ? 'sandbox' : 'production');
  try {
    await work(await part(), installation);
  } finally {
    await installation.close();
  }
}

/** The same with every enabled environment, for shared data. */
export async function withAllInstallations<Part>(
  part: () => Promise<Part>,
  work: (operator: Part, installations: Installation[]) => Promise<void>,
): Promise<void> {
  const { connectAllInstallations } = await import('@seathold/server/operator/connect-installation');
  const installations = await connectAllInstallations(process.env);
  try {
    await work(await part(), installations);
  } finally {
    // The first may have started the embedded PostgreSQL that the second joined.
    for (const installation of installations.reverse()) {
      await installation.close();
    }
  }
}
