import type { OperatorOptions } from '../../operator/options.ts';
import { withInstallation } from '../../with-installation.ts';
import { printLicense } from './print-license.ts';

type Change = Parameters<typeof import('@seathold/server/operator/manage-licenses').operatorChangeLicense>[2];

const licenses = () => import('@seathold/server/operator/manage-licenses');

/** Changes a license on the server, whether or not the service runs. */
export async function changeLicenseHere(id: string, change: Change, options: OperatorOptions): Promise<void> {
  await withInstallation(licenses, options.sandbox === true, async (operator, installation) => {
    printLicense(await operator.operatorChangeLicense(installation, id, change), options);
  });
}
