export { containsAddress, isInNetworks, type Network, parseAddress, parseNetworks } from './networks.ts';
