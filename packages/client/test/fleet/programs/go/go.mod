module fleet

go 1.21

require seathold v0.0.0

replace seathold => ../../../../../../sdks/go
