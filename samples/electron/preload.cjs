const { contextBridge, ipcRenderer } = require('electron');

// All that the page can do: ask for the status, and hear when it changes.
contextBridge.exposeInMainWorld('seat', {
  status: () => ipcRenderer.invoke('seat:status'),
  onStatus: (listener) => void ipcRenderer.on('seat:status', (_event, status) => listener(status)),
});
