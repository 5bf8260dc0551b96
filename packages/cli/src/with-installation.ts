/** Opens one environment's data for a command and closes it again. The server's code is loaded only now. */
export async function withInstallation(
  isSandbox: boolean,
  work: (
    operator: typeof import('@seathold/server/operator'),
    installation: import('@seathold/server/operator').Installation,
  ) => Promise<void>,
): Promise<void> {
  const operator = await import('@seathold/server/operator');
  const installation = await operator.connectInstallation(process.env, isSandbox ? 'sandbox' : 'production');
  try {
    await work(operator, installation);
  } finally {
    await installation.close();
  }
}

/** The same with every environment that is on, for what they share. */
export async function withAllInstallations(
  work: (
    operator: typeof import('@seathold/server/operator'),
    installations: import('@seathold/server/operator').Installation[],
  ) => Promise<void>,
): Promise<void> {
  const operator = await import('@seathold/server/operator');
  const installations = await operator.connectAllInstallations(process.env);
  try {
    await work(operator, installations);
  } finally {
    // The first may have started the embedded PostgreSQL that the second joined.
    for (const installation of installations.reverse()) {
      await installation.close();
    }
  }
}
