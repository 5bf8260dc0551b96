const { contextBridge, ipcRenderer } = require('electron');

// The page can only get the status and be notified when it changes.
contextBridge.exposeInMainWorld('seat', {
  status: () => ipcRenderer.invoke('seat:status'),
  onStatus: (listener) => void ipcRenderer.on('seat:status', (_event, status) => listener(status)),
});
