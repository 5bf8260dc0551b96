import { defineMessages } from '../i18n/index.ts';

/** The messages of the screen of connected apps. */
export const useConnectedAppsText = defineMessages('connected-apps', {
  en: {
    title: 'Connected apps',
    about: 'Apps that you allowed to act for you, in all of your organizations.',
    app: 'App',
    organization: 'Organization',
    scopes: 'Scopes',
    connected: 'Last allowed',
    disconnect: 'Disconnect',
    disconnect_title: 'Disconnect {{name}}?',
    disconnect_text: 'Its tokens stop working immediately. To use the app again, you have to allow it again.',
    disconnected: '{{name}} is disconnected.',
    empty_title: 'No connected apps',
    empty_text: 'An app appears here after you allowed it on its consent page.',
    show_own: 'Show OAuth apps',
  },
  de: {
    title: 'Verbundene Apps',
    about: 'Apps, denen Sie erlaubt haben, für Sie zu handeln, in allen Ihren Organisationen.',
    app: 'App',
    organization: 'Organisation',
    scopes: 'Berechtigungen',
    connected: 'Zuletzt erlaubt',
    disconnect: 'Trennen',
    disconnect_title: '{{name}} trennen?',
    disconnect_text: 'Ihre Tokens enden sofort. Um die App wieder zu benutzen, müssen Sie sie erneut erlauben.',
    disconnected: '{{name}} ist getrennt.',
    empty_title: 'Keine verbundenen Apps',
    empty_text: 'Eine App erscheint hier, nachdem Sie sie auf ihrer Seite der Freigabe erlaubt haben.',
    show_own: 'Zu den OAuth-Apps',
  },
});
