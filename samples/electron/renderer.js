const place = document.querySelector('#seat');

function show(status) {
  place.dataset.state = status.state;
  place.textContent = describe(status);
}

function describe(status) {
  switch (status.state) {
    case 'held':
      return `Licensed until ${status.until}.`;
    case 'waiting':
      return `All seats are in use. Number ${status.position} in line.`;
    case 'offline':
      return `The license service is not responding. You can keep working until ${status.until}.`;
    case 'lost':
      return status.isFinal ? `Seat lost: ${status.reason}.` : `Seat lost: ${status.reason}. Waiting for another.`;
    case 'refused':
      return `No seat: ${status.reason}`;
    default:
      return 'Asking for a seat …';
  }
}

window.seat.onStatus(show);
window.seat.status().then(show);
