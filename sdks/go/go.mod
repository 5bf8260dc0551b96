module seathold

go 1.21
